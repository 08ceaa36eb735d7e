-- `uplinks_block` finds the uplinks of a device now. Processes of the previous release find them by
-- this one (db/former-parts.ts).
do $$
begin
  if not exists (select from processes where alive_until > clock_timestamp()) then
    drop index uplinks_device;
  end if;
end
$$;
