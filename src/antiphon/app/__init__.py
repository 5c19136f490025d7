"""The assembly of an application: the parts that the settings ask for, opened and closed."""
