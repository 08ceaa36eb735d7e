-- What a member wants the console to remember, as JSON. Text: jsonb refuses escaped NULs.
create table user_preferences (
  organization_id bigint not null,
  user_id bigint not null,
  preferences text not null,
  updated_at timestamptz not null,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id)
    references members (organization_id, user_id) on delete cascade
);
