"""The same scenario on real TensorFlow; writes the same run folder as the simulator."""
