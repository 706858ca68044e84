"""The global step and the rule that ends the training."""


class Coordinator:
    """``global_step`` on its ps, and StopAtStepHook: a worker stops after the step that finds it reached.

    Workers that are in a step then finish it, so that the last global step can be past ``last_step`` by at
    most the number of workers less one (tensorflow/python/training/basic_session_run_hooks.py).
    """

    def __init__(self, last_step: int) -> None:
        self.global_step = 0
        self._last_step = last_step

    def increment(self) -> int:
        """Count one finished step; return the new global step."""
        self.global_step += 1
        return self.global_step

    def should_stop(self) -> bool:
        """Tell whether the global step has reached the last one."""
        return self.global_step >= self._last_step
