import { TagsInput, type TagsInputProps } from '@mantine/core'

/** Server limits: 50 tags of 64 characters, without commas. @param tags suggestions from the engagement */
export const TagField = ({ tags, ...props }: Omit<TagsInputProps, 'data'> & { tags: readonly string[] }) => (
  <TagsInput data={[...tags]} maxTags={50} maxLength={64} splitChars={[',']} acceptValueOnBlur {...props} />
)
