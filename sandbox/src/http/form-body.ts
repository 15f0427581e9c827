import { invalidRequest } from './api-error.ts'

/** A parsed form: strings and nested forms. Lists are forms with numeric keys. */
export interface Form {
  [name: string]: string | Form
}

const MAX_FIELDS = 1_000
const MAX_DEPTH = 6
const NAME = /^([^[\]]+)((?:\[[^[\]]*\])*)$/

/** Parses `a=1&b[c][d]=2&e[]=3` from a body or a query string. */
export function parseForm(text: string): Form {
  const form = emptyForm()
  let fields = 0
  for (const [name, value] of new URLSearchParams(text)) {
    if (++fields > MAX_FIELDS) throw invalidRequest(`A request has at most ${MAX_FIELDS} parameters.`)
    // PostgreSQL cannot store U+0000.
    if (name.includes('\0') || value.includes('\0'))
      throw invalidRequest('Invalid null character in a parameter.')
    setValue(form, parseName(name), value, name)
  }
  return form
}

/** No prototype, so that a parameter named `__proto__` is only an unknown parameter. */
const emptyForm = (): Form => Object.create(null)

function parseName(name: string): string[] {
  const [, first, rest] = NAME.exec(name) ?? []
  if (first === undefined || rest === undefined) {
    throw invalidRequest(`Invalid parameter name: ${name.slice(0, 100)}`, { code: 'parameter_unknown' })
  }
  const keys = [first, ...[...rest.matchAll(/\[([^[\]]*)\]/g)].map(([, key = '']) => key)]
  if (keys.length > MAX_DEPTH) throw invalidRequest(`Parameters nest at most ${MAX_DEPTH} deep.`)
  return keys
}

function setValue(form: Form, [key = '', ...rest]: string[], value: string, name: string): void {
  // The entries of `a[]=1&a[]=2` are numbered in order.
  const at = key === '' ? String(Object.keys(form).length) : key
  if (rest.length === 0) {
    if (typeof form[at] === 'object') throw ambiguous(name)
    form[at] = value
    return
  }
  const inner = form[at] ?? emptyForm()
  if (typeof inner === 'string') throw ambiguous(name)
  form[at] = inner
  setValue(inner, rest, value, name)
}

const ambiguous = (name: string) =>
  invalidRequest(`Invalid parameter: ${name.slice(0, 100)} is given in two shapes.`)
