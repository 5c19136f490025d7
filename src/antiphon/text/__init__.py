"""Text of natural language: sentences, function words, names of months and weekdays, HTML."""
