"""The flat shape in which VOX shows a result: `success` beside the data of the envelope."""

from antiphon.contracts import flat_result

__all__ = ["flat_result"]
