-- The zone in which a user wants to read times; null for that of the browser.
alter table users add column time_zone text;
