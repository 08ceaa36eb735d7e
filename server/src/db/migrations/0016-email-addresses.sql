-- E-mail addresses have one normal form, by which users are found: lower() depends on the locale of
-- the database, and knows one letter at a time. Addresses beyond ASCII are brought into it at the
-- start of the service (auth/normalize-emails.ts), since SQL cannot fold them before PostgreSQL 18.
-- Until then, and where another user has the same normal form (first whoever wrote it so, then the
-- earlier one), the address as it is written stands in its place.
alter table users add column normal_email text;

with forms as (
  select users.id, lower(users.email collate "C") as form,
    row_number() over (
      partition by lower(users.email collate "C")
      order by users.email <> lower(users.email collate "C"), users.id
    ) as place
  from users
  where octet_length(users.email) = char_length(users.email)
)
update users
set normal_email = case when forms.place = 1 then forms.form else users.email end
from forms
where users.id = forms.id;

update users set normal_email = email where normal_email is null;

alter table users alter column normal_email set not null;
create unique index users_normal_email on users (normal_email);
drop index users_email;
