-- A tenant is organization 1, each organization directly below it, and each without a parent. What is
-- below a tenant belongs to it. `top_id` and `root_id` hold the tenant from now on, and
-- `organization_trees` has the devices of each organization together with those below it, within its
-- tenant: `device_limit` holds for them.

-- Organizations below this one; organization 1 may have any number.
alter table organizations add column organization_limit integer not null default 1000
  check (organization_limit >= 0);

create index organizations_parent on organizations (parent_org_id);

-- Waits for the registrations that are under way: they count at their end.
lock table organizations in share row exclusive mode;

with recursive placed as (
  select id, null::bigint as top_id from organizations where parent_org_id is null or parent_org_id = 1
  union all
  select below.id, coalesce(placed.top_id, placed.id)
  from placed
  join organizations as below on below.parent_org_id = placed.id
  where placed.id <> 1
)
update organizations set top_id = placed.top_id
from placed
where organizations.id = placed.id and organizations.top_id is distinct from placed.top_id;

delete from organization_trees;

with recursive counted as (
  select id as root_id, id, device_count from organizations
  union all
  select counted.root_id, below.id, below.device_count
  from counted
  join organizations as below on below.parent_org_id = counted.id
  where below.id <> below.root_id
)
insert into organization_trees (root_id, device_count)
select root_id, sum(device_count) from counted group by root_id;

-- Adds up the devices of an organization and of each above it, up to the tenant, and holds their limits.
-- Deferred to the commit, so that these rows are locked for that moment only. Locks go upward, so that
-- no two wait for each other.
create or replace function count_devices_of_tree() returns trigger language plpgsql as $$
declare
  change integer := new.device_count - old.device_count;
  place bigint := new.id;
begin
  loop
    update organization_trees
    set device_count = organization_trees.device_count + change
    where organization_trees.root_id = place
      and (change <= 0 or organization_trees.device_count + change <= (
        select limited.device_limit from organizations limited where limited.id = place
      ));
    if not found then
      raise exception 'the device limit of organization % is reached', place
        using errcode = 'check_violation', constraint = 'organization_trees_limit';
    end if;
    exit when place = new.root_id;
    place := (select lower.parent_org_id from organizations lower where lower.id = place);
  end loop;
  return null;
end
$$;

-- Here, so that every way to make an organization places it right: the previous release does not.
create function place_organization() returns trigger language plpgsql as $$
begin
  new.top_id := (
    select above.root_id from organizations above where above.id = new.parent_org_id and above.id <> 1
  );
  return new;
end
$$;

create trigger organizations_place before insert on organizations
  for each row execute function place_organization();

create function count_organization() returns trigger language plpgsql as $$
begin
  insert into organization_trees (root_id) values (new.id) on conflict do nothing;
  return null;
end
$$;

create trigger organizations_count after insert on organizations
  for each row execute function count_organization();
