-- A request whose answer was too large to keep has a status without one.
alter table idempotency_keys drop constraint idempotency_keys_check;
alter table idempotency_keys add constraint idempotency_keys_answer
  check (sealed_answer is null or answer_status is not null) not valid;
