-- Child organizations share the limits of the organization at the top of their tree. The column
-- top_id names it, and is null in that organization itself; root_id is the same with no gap, so that
-- a share of a queue or a quota is found without a walk up the tree.
alter table organizations add column top_id bigint references organizations (id);

with recursive trees as (
  select organizations.id, organizations.id as top_id
  from organizations
  where organizations.parent_org_id is null
  union all
  select children.id, trees.top_id
  from trees
  join organizations children on children.parent_org_id = trees.id
)
update organizations
set top_id = trees.top_id
from trees
where organizations.id = trees.id and organizations.id <> trees.top_id;

alter table organizations
  add column root_id bigint generated always as (coalesce(top_id, id)) stored not null;

create index organizations_root on organizations (root_id);
