"""Text of natural language: sentences, function words, and the names of months and weekdays."""
