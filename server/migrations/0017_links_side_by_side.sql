-- The link that an account is made with, and the one that is asked for on the sign-in page, live side by side: whoever asks
-- for an address does not take its first link away.

alter table password_resets
  -- Asked for on the sign-in page, by whoever knows the address. A newer one replaces the older of its kind alone.
  add column requested boolean not null default true,
  drop constraint password_resets_pkey;

-- Those that were asked for last half an hour, the others a week.
update password_resets set requested = false where expires_at - created_at > interval '1 day';

alter table password_resets
  alter column requested drop default,
  add primary key (user_id, requested);
