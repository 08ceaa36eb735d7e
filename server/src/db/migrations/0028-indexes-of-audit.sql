-- outside a transaction

create index concurrently activities_unchained on activities (organization_id, id)
  where position is null;

create unique index concurrently activities_position on activities (organization_id, position);
