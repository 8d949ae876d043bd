import { TagsInput, type TagsInputProps } from '@mantine/core'

/** What the server takes: up to 50 tags of 64 characters, without commas. @param tags of the engagement, to choose from */
export const TagField = ({ tags, ...props }: Omit<TagsInputProps, 'data'> & { tags: readonly string[] }) => (
  <TagsInput data={[...tags]} maxTags={50} maxLength={64} splitChars={[',']} acceptValueOnBlur {...props} />
)
