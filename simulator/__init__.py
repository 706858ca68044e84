"""Predict parameter-server training: a discrete-event simulator and the questions asked of its traces."""
