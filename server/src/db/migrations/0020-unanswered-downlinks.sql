-- Downlinks that were sent and never acknowledged are closed after some days, and until then cost
-- the uplinks of their device nothing: those look for what the network holds.

create index downlinks_handed_over on downlinks (organization_id, device_id)
  where state = 'handed_over';

create index downlinks_unanswered on downlinks (sent_at) where state = 'sent' and closed_at is null;
