-- Who has claimed a key: its claim ends with the process. Null where the previous release claimed.

alter table idempotency_keys add column claimed_by uuid;
