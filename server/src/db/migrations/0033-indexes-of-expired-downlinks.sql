-- outside a transaction

-- Finds what is to expire. It holds only queued downlinks with an expiry.
create index concurrently downlinks_expiring on downlinks (expires_at)
  where state = 'queued' and not is_uncertain and expires_at is not null;

-- Lists what has expired.
create index concurrently downlinks_expired on downlinks (organization_id, id)
  where state = 'expired';

alter table downlinks validate constraint downlinks_section_check;
alter table downlinks validate constraint downlinks_state_check;
alter table downlink_history validate constraint downlink_history_event_name_check;
