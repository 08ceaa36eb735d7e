-- Members, and whoever is invited, can be limited to the devices in a group and below it. Null: all.

alter table members add column group_id bigint;

alter table invitations add column group_id bigint;
