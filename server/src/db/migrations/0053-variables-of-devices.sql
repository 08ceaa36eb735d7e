-- What the codec of a device gets as `input.variables`: JSON, sealed, because it may hold tokens.
alter table devices add column sealed_variables bytea;
