-- Downlinks of bytes that a user gives, confirmed if wanted, and downlinks that expire
-- (docs/decisions/0043-raw-downlinks.md). The checks are validated by 0033.
alter table downlinks
  add column is_confirmed boolean not null default false,
  -- When a downlink that is still queued here becomes expired; null for never.
  add column expires_at timestamptz;

alter table downlinks drop constraint downlinks_section_check;
alter table downlinks add constraint downlinks_section_check check (
  section in ('sensor', 'general', 'advanced', 'raw')
) not valid;

alter table downlinks drop constraint downlinks_state_check;
alter table downlinks add constraint downlinks_state_check check (
  state in (
    'queued', 'handed_over', 'sent', 'acknowledged', 'rejected', 'failed', 'cancelled', 'expired'
  )
) not valid;
