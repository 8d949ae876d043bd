-- The file of an import is stored, counted and cleaned like every other.

alter table files drop constraint files_owner_type_check;
alter table files add constraint files_owner_type_check check (owner_type in ('engagement', 'result', 'import', 'task', 'page', 'request'));
