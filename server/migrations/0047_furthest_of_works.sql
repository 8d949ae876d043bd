-- How far any attempt has come. Some kinds begin at 0 each time: an attempt got on if it came further than all before.
alter table long_work add column furthest bigint not null default 0;
update long_work set furthest = done;
