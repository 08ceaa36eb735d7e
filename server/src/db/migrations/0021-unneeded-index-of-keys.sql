-- The last migration that a process knows; null in the previous release. What older processes use
-- goes when none of them lives (db/former-parts.ts).
alter table processes add column migration integer;

-- `uplinks_key` finds repeats now. Processes of the previous release find them by this one.
do $$
begin
  if not exists (select from processes where alive_until > clock_timestamp()) then
    drop index uplinks_deduplication;
  end if;
end
$$;
