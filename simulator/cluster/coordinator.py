"""The global step and the rule that ends the training."""


class Coordinator:
    """``global_step`` on its ps, and StopAtStepHook, which ends each worker's loop.

    The hook looks at the global step that its worker read in the step just finished, which is as old as that
    step; only when that read, plus one, has reached the last step does it look at the present value.
    So workers finish the step they are in, and some do one more: training ends a little past ``last_step``
    (tensorflow/python/training/basic_session_run_hooks.py, StopAtStepHook.after_run; our real runs of two
    workers end at last_step + 0 to 2).
    """

    def __init__(self, last_step: int) -> None:
        self.global_step = 0
        self._last_step = last_step

    def increment(self) -> int:
        """Count one finished step; return the new global step."""
        self.global_step += 1
        return self.global_step

    def should_stop(self, read: int) -> bool:
        """Tell whether a worker stops whose last step read the global step *read*."""
        return read + 1 >= self._last_step and self.global_step >= self._last_step
