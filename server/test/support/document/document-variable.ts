/** The variable in which a test run passes the path of the OpenAPI document to its workers. */
export const DOCUMENT_VARIABLE = 'SORTIE_TEST_DOCUMENT'
