"""Whoever gives verdicts on claims. The judge is part of the instrument: scores of different ones are not compared."""
