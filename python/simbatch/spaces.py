"""Boxes of numbers: Gymnasium's where it is installed, otherwise a class with the same members."""

from __future__ import annotations

from typing import Any, Optional

from .arrays import needed, optional


class Box:
    """All arrays between two others, like gymnasium.spaces.Box."""

    def __init__(self, low: Any, high: Any, dtype: Any, seed: Optional[int] = None) -> None:
        numpy = needed("numpy", "a space")
        self.dtype = numpy.dtype(dtype)
        self.low = numpy.asarray(low, dtype=self.dtype)
        self.high = numpy.asarray(high, dtype=self.dtype)
        self.shape = self.low.shape
        self.seed(seed)

    def seed(self, seed: Optional[int] = None) -> Optional[int]:
        self._random = needed("numpy", "a space").random.default_rng(seed)
        return seed

    def sample(self) -> Any:
        """Uniform where both bounds are finite, normal where neither is, exponential from the bound that is."""
        numpy = needed("numpy", "a space")
        low, high = numpy.isfinite(self.low), numpy.isfinite(self.high)
        made = self._random.normal(size=self.shape)
        both = low & high
        made[both] = self._random.uniform(self.low[both], self.high[both])
        made[low & ~high] = self.low[low & ~high] + self._random.exponential(size=int((low & ~high).sum()))
        made[high & ~low] = self.high[high & ~low] - self._random.exponential(size=int((high & ~low).sum()))
        return made.astype(self.dtype)

    def contains(self, x: Any) -> bool:
        numpy = needed("numpy", "a space")
        if not isinstance(x, numpy.ndarray) or not numpy.can_cast(x.dtype, self.dtype) or x.shape != self.shape:
            return False
        return bool(numpy.all(x >= self.low) and numpy.all(x <= self.high))

    __contains__ = contains

    def __eq__(self, other: object) -> bool:
        numpy = needed("numpy", "a space")
        return (
            isinstance(other, Box)
            and self.dtype == other.dtype
            and bool(numpy.array_equal(self.low, other.low) and numpy.array_equal(self.high, other.high))
        )

    def __repr__(self) -> str:
        return "Box(%s, %s, %s, %s)" % (self.low.min(initial=0), self.high.max(initial=0), self.shape, self.dtype)


def box(low: Any, high: Any, dtype: Any) -> Any:
    numpy = needed("numpy", "a space")
    low, high = numpy.asarray(low, dtype=dtype), numpy.asarray(high, dtype=dtype)
    gymnasium = optional("gymnasium")
    if gymnasium is None:
        return Box(low, high, dtype)
    return gymnasium.spaces.Box(low=low, high=high, dtype=numpy.dtype(dtype).type)


def stacked(space: Any, count: int) -> Any:
    """The space of this number of environments together."""
    numpy = needed("numpy", "a space")
    return box(numpy.stack([space.low] * count), numpy.stack([space.high] * count), space.dtype)
