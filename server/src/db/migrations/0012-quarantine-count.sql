-- Messages that left the quarantine were counted on.
update organization_counters as counters
set quarantine_count = (
  select count(*) from quarantined_messages as kept
  where kept.organization_id = counters.organization_id
);
