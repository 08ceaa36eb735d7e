-- `uplinks_repeat` finds repeats now. Processes of the previous release find them by this one
-- (db/former-parts.ts).
do $$
begin
  if not exists (select from processes where alive_until > clock_timestamp()) then
    drop index uplinks_key;
  end if;
end
$$;
