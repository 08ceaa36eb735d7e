import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../test/database.ts'
import { dumpSchema } from './dump-schema.ts'

let database: TestDatabase

before(async () => {
  database = await createTestDatabase()
})
after(() => database.drop())

/** One of each kind. */
const schema = `
  create schema trial;
  create type trial.color as enum ('red', 'green');
  create domain trial.eui as text check (value ~ '^[0-9A-F]{16}$');
  create sequence trial.counter as bigint start 5;
  create table trial.account (
    id bigint generated always as identity primary key,
    name text collate "C" not null unique,
    shade trial.color default 'red',
    eui trial.eui,
    size int generated always as (length(name)) stored,
    constraint named check (size > 0)
  ) with (fillfactor = 80);
  create index account_shade on trial.account (shade) where size > 3;
  create table trial.event (
    account_id bigint not null references trial.account on delete cascade,
    at timestamptz not null default now(),
    primary key (account_id, at)
  ) partition by range (at);
  create table trial.event_2026 partition of trial.event
    for values from ('2026-01-01 00:00:00+00') to ('2027-01-01 00:00:00+00');
  create function trial.touch() returns trigger language plpgsql as $$ begin return new; end $$;
  create trigger touched before update on trial.account
    for each row execute function trial.touch();
  alter table trial.account enable row level security;
  alter table trial.account force row level security;
  create policy mine on trial.account using (name = current_user);`

const expected = `create type trial.color as enum ('red', 'green');

create domain trial.eui as text CHECK ((VALUE ~ '^[0-9A-F]{16}$'::text));

create sequence trial.counter as bigint start 5 increment 1;

create table trial.account (
  id bigint not null generated always as identity,
  name text collate "C" not null,
  shade trial.color default 'red'::trial.color,
  eui trial.eui,
  size integer generated always as (length(name)) stored,
  constraint account_pkey PRIMARY KEY (id),
  constraint named CHECK ((size > 0)),
  constraint account_name_key UNIQUE (name)
) with (fillfactor=80);
alter table trial.account enable row level security;
alter table trial.account force row level security;

create table trial.event (
  account_id bigint not null,
  at timestamp with time zone not null default now(),
  constraint event_pkey PRIMARY KEY (account_id, at),
  constraint event_account_id_fkey FOREIGN KEY (account_id) REFERENCES trial.account(id) ON DELETE CASCADE
) partition by RANGE (at);

create table trial.event_2026 partition of trial.event FOR VALUES FROM ('2026-01-01 00:00:00+00') TO ('2027-01-01 00:00:00+00');

CREATE INDEX account_shade ON trial.account USING btree (shade) WHERE (size > 3);

CREATE OR REPLACE FUNCTION trial.touch()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin return new; end $function$;

CREATE TRIGGER touched BEFORE UPDATE ON trial.account FOR EACH ROW EXECUTE FUNCTION trial.touch();

create policy mine on trial.account using ((name = CURRENT_USER));
`

test('the dump shows every kind of thing that migrations make, as SQL', async () => {
  for (const statement of schema.split(/;\n(?= {2}\w)/)) await database.db.query(statement)
  const dump = await dumpSchema(database.db)
  for (const part of expected.split(/(?<=;\n)\n/))
    assert(dump.includes(part.trimEnd()), `${part}\nin\n${dump}`)
  assert.equal(await dumpSchema(database.db), dump)
})
