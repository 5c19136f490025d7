"""Servers on loopback that speak the providers' wire protocols, with faults on demand."""
