-- Rules for one port of a host, such as example.com:8443: a client may allow or exclude one service of a host.

alter table scope_rules drop constraint scope_rules_kind_check;
alter table scope_rules add constraint scope_rules_kind_check check (kind in ('domain', 'wildcard', 'ip', 'cidr', 'range', 'url', 'service'));
