-- Validated by 0033.
alter table downlink_history drop constraint downlink_history_event_name_check;
alter table downlink_history add constraint downlink_history_event_name_check check (
  event_name in (
    'event_created', 'event_sent', 'event_acknowledged', 'event_rejected', 'event_failed',
    'event_cancelled', 'event_expired'
  )
) not valid;
