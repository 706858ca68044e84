"""An emulated accelerator: a step's compute takes its time and burns no CPU."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1


class Accelerator:
    """Sleeps for each layer's share of the step's forward and backward time.

    ``begin_step`` draws the factor of the step; the sleeps of that step, forward and backward, use it.  The
    simulator draws the same numbers from the same named stream (scenario/compute_times.py).
    """

    def __init__(self, forward_ns: float, backward_ns: float, factors: Iterator[float]) -> None:
        self._forward_s = forward_ns / 1e9
        self._backward_s = backward_ns / 1e9
        self._factors = factors
        self._factor = 1.0

    def begin_step(self) -> None:
        """Draw the factor of the next step."""
        self._factor = next(self._factors)

    def forward(self, share: float) -> Callable[..., Any]:
        """Return a function for ``py_func`` that takes *share* of the forward time and returns its first input."""
        return self._sleeper(lambda: self._forward_s * share)

    def backward(self, share: float) -> Callable[..., Any]:
        """Return the same for the backward time."""
        return self._sleeper(lambda: self._backward_s * share)

    def _sleeper(self, seconds: Callable[[], float]) -> Callable[..., Any]:
        def sleep(first: Any, *_: Any) -> Any:
            if (nap := seconds() * self._factor) > 0:
                time.sleep(nap)
            return first

        return sleep


def delayed(accelerator: Accelerator, share: float, x: Any) -> Any:
    """Return *x* after a layer's forward time; its gradient takes the layer's backward time."""
    forward, backward = accelerator.forward(share), accelerator.backward(share)

    def layer(value: Any) -> Any:
        out = tf1.py_func(forward, [value], value.dtype, name="accelerator_forward")
        out.set_shape(value.shape)

        def gradient(upstream: Any) -> Any:
            back = tf1.py_func(backward, [upstream], upstream.dtype, name="accelerator_backward")
            back.set_shape(upstream.shape)
            return back

        return out, gradient

    return tf.custom_gradient(layer)(x)
