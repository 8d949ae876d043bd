/** Empty table to fill in. */
export const TABLE = '| Column | Column |\n| --- | --- |\n|  |  |\n'
