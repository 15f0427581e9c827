import pg from 'pg'

/*
 * Amounts are bigints in the database. The driver would return them as text, so that a sum in code would be another
 * text. For all connections of the process.
 */
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is too large for an exact number`)
  return value
})
