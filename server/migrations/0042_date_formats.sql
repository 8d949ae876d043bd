-- How an account reads dates and times. The defaults are the formats that everyone had until now: 3 Feb 2031, 14:05.

alter table users
  add column date_format text not null default 'day_month_year' check (date_format in ('day_month_year', 'month_day_year', 'dotted', 'iso')),
  add column time_format text not null default '24h' check (time_format in ('24h', '12h'));
