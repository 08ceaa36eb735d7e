-- What an organization has in its quarantine is bounded in bytes as it is written, so the bytes are
-- counted with the messages. The index finds the oldest of an organization, which go first.
alter table organization_counters add column quarantine_bytes bigint not null default 0;

update organization_counters
set quarantine_bytes = kept.bytes
from (
  select organization_id, sum(octet_length(message) + coalesce(octet_length(uplink), 0)) as bytes
  from quarantined_messages
  group by organization_id
) as kept
where organization_counters.organization_id = kept.organization_id;

create index quarantined_messages_organization on quarantined_messages (organization_id, id);
