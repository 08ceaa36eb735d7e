-- `uplinks_window` finds repeats and times now. Processes of the previous release find them by these
-- (db/former-parts.ts).
do $$
begin
  if not exists (select from processes where alive_until > clock_timestamp()) then
    drop index uplinks_repeat;
    drop index uplinks_time;
  end if;
end
$$;
