"""Metadata of AgentDojo's tools: what an honest operator would say of each of them."""

from __future__ import annotations

from typing import Any

# Who wrote what the tool returns, how sensitive that is, and whether what a call says reaches
# anybody outside the house. A tool of which nothing is said here does not exist for the harness.
_READS: dict[str, tuple[str, str, bool, str]] = {
    # -- computed by the house, or the person's own --
    "get_balance": ("trusted", "private", False, "utility"),
    "get_iban": ("trusted", "private", False, "utility"),
    "get_user_info": ("trusted", "private", False, "utility"),
    "get_scheduled_transactions": ("trusted", "private", False, "utility"),
    "get_current_day": ("trusted", "public", False, "utility"),
    "get_user_information": ("trusted", "private", False, "utility"),
    # -- what others wrote --
    "get_most_recent_transactions": ("untrusted", "private", False, "retrieval"),
    "read_file": ("untrusted", "private", False, "retrieval"),
    "get_unread_emails": ("untrusted", "private", False, "retrieval"),
    "get_received_emails": ("untrusted", "private", False, "retrieval"),
    "get_sent_emails": ("untrusted", "private", False, "retrieval"),  # they quote what came
    "get_draft_emails": ("untrusted", "private", False, "retrieval"),
    "search_emails": ("untrusted", "private", False, "retrieval"),
    # The address book is filled from the mail that comes in.
    "search_contacts_by_name": ("untrusted", "private", False, "utility"),
    "search_contacts_by_email": ("untrusted", "private", False, "utility"),
    "get_day_calendar_events": ("untrusted", "private", False, "retrieval"),
    "search_calendar_events": ("untrusted", "private", False, "retrieval"),
    "search_files_by_filename": ("untrusted", "private", False, "retrieval"),
    "search_files": ("untrusted", "private", False, "retrieval"),
    "get_file_by_id": ("untrusted", "private", False, "retrieval"),
    "list_files": ("untrusted", "private", False, "retrieval"),
    # Whoever makes a channel names it.
    "get_channels": ("untrusted", "private", False, "utility"),
    "get_users_in_channel": ("untrusted", "private", False, "utility"),
    "read_channel_messages": ("untrusted", "private", False, "retrieval"),
    "read_inbox": ("untrusted", "private", False, "retrieval"),
    # The address that is asked for goes to whoever runs the page.
    "get_webpage": ("untrusted", "public", True, "retrieval"),
    # The travel agency's catalogue: anybody may have written of what is in it.
    "get_all_hotels_in_city": ("untrusted", "public", False, "utility"),
    "get_hotels_prices": ("untrusted", "public", False, "utility"),
    "get_hotels_address": ("untrusted", "public", False, "utility"),
    "get_rating_reviews_for_hotels": ("untrusted", "public", False, "utility"),
    "get_all_restaurants_in_city": ("untrusted", "public", False, "utility"),
    "get_restaurants_address": ("untrusted", "public", False, "utility"),
    "get_rating_reviews_for_restaurants": ("untrusted", "public", False, "utility"),
    "get_cuisine_type_for_restaurants": ("untrusted", "public", False, "utility"),
    "get_dietary_restrictions_for_all_restaurants": ("untrusted", "public", False, "utility"),
    "get_contact_information_for_restaurants": ("untrusted", "public", False, "utility"),
    "get_price_for_restaurants": ("untrusted", "public", False, "utility"),
    "check_restaurant_opening_hours": ("untrusted", "public", False, "utility"),
    "get_all_car_rental_companies_in_city": ("untrusted", "public", False, "utility"),
    "get_car_types_available": ("untrusted", "public", False, "utility"),
    "get_rating_reviews_for_car_rental": ("untrusted", "public", False, "utility"),
    "get_car_fuel_options": ("untrusted", "public", False, "utility"),
    "get_car_rental_address": ("untrusted", "public", False, "utility"),
    "get_car_price_per_day": ("untrusted", "public", False, "utility"),
    "get_flight_information": ("untrusted", "public", False, "utility"),
}
# What changes something, and whether it reaches anybody outside.
_WRITES: dict[str, bool] = {
    "send_money": True,
    "schedule_transaction": True,
    "update_scheduled_transaction": True,
    "update_password": False,
    "update_user_info": False,
    "send_email": True,
    "delete_email": False,
    # Participants are told.
    "create_calendar_event": True,
    "cancel_calendar_event": True,
    "reschedule_calendar_event": True,
    "add_calendar_event_participants": True,
    "create_file": False,
    "append_to_file": True,  # others may have the file
    "delete_file": False,
    "share_file": True,
    "send_direct_message": True,
    "send_channel_message": True,
    "post_webpage": True,
    "invite_user_to_slack": True,
    "remove_user_from_slack": True,
    "add_user_to_channel": True,
    "reserve_hotel": True,
    "reserve_restaurant": True,
    "reserve_car_rental": True,
}


def options_of(name: str) -> dict[str, Any]:
    """The options of `@tool` for a tool of AgentDojo. None of those that change something asks by
    itself: what is measured is what the rules about untrusted text do."""
    if name in _WRITES:
        return {
            "side_effects": "writes",
            "confirm": False,
            "category": "action",
            "origin": "trusted",
            "sensitivity": "private",
            "outside": _WRITES[name],
        }
    origin, sensitivity, outside, category = _READS[name]
    return {
        "side_effects": "read_only",
        "category": category,
        "origin": origin,
        "sensitivity": sensitivity,
        "outside": outside,
    }


def is_harmful(name: str) -> bool:
    """Whether a call of the tool changes something or says something to the outside."""
    return name in _WRITES or _READS[name][2]


def is_trusted(name: str) -> bool:
    """Whether the harness tells the product to trust what the tool returns."""
    return name not in _WRITES and _READS[name][0] == "trusted"
