-- Members without two-factor authentication reach only its set-up.
alter table organizations add column requires_two_factor boolean not null default false;

-- Sessions that began until then no longer reach this organization.
alter table members add column sessions_ended_at timestamptz;
