-- A network could tell a frequency beyond what an answer can hold; every list with such a row failed.
-- From here on such a value is left out where it enters (networks/message-range.ts), and the check
-- holds a server process of the version before to it. Not validated: the rows are mended here.

update uplinks set frequency = null where frequency not between 1 and 4294967295;

alter table uplinks add constraint uplinks_frequency_check
  check (frequency between 1 and 4294967295) not valid;
