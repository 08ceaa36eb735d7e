-- Child organizations share the device limit of their root: what a whole tree has of it, apart from
-- the organizations, whose rows are held by a registration from its beginning to its end.
create table organization_trees (
  root_id bigint primary key references organizations,
  device_count bigint not null default 0
);

insert into organization_trees (root_id, device_count)
select root_id, sum(device_count) from organizations group by root_id;

-- Run when a transaction commits, so that the tree's row is held for that moment only: one
-- organization's batch of a thousand devices keeps no other organization of its tree waiting.
create function count_devices_of_tree() returns trigger language plpgsql as $$
declare
  change integer := new.device_count - old.device_count;
begin
  update organization_trees
  set device_count = organization_trees.device_count + change
  where organization_trees.root_id = new.root_id
    and (change <= 0 or organization_trees.device_count + change <= (
      select roots.device_limit from organizations roots where roots.id = new.root_id
    ));
  if not found then
    raise exception 'the device limit of the tree is reached'
      using errcode = 'check_violation', constraint = 'organization_trees_limit';
  end if;
  return null;
end
$$;

create constraint trigger organizations_device_count
  after update of device_count on organizations
  deferrable initially deferred
  for each row
  when (old.device_count <> new.device_count)
  execute function count_devices_of_tree();
