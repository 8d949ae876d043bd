-- An import writes what its file says was asked once, however often it is taken up again.
create index operations_import on operations (organization_id, import_id) where kind = 'import';
