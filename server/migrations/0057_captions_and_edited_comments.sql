-- Evidence of a finding has captions and an order, and a comment states when its author changed the text: resolving and reopening
-- also move updated_at.

alter table files
  -- What the file shows; empty without a caption.
  add column caption text not null default '',
  -- Place among the files of its owner, from 0. Null until the files are put in order: such files come last, oldest first.
  add column position integer;

alter table comments
  -- Null if the text never changed, and for changes before this column existed.
  add column edited_at timestamptz(3);
