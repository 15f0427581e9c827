import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import type { Cause } from '../cause.ts'
import type { Tx } from '../database.ts'
import { parseForm } from '../http/form-body.ts'
import { integer, parseParams } from '../http/params.ts'
import { type Html, html } from './html.ts'
import { type Dashboard, pageCause } from './services.ts'

/** A number in a form; an empty field counts as omitted. */
export const optionalInteger = z.preprocess((value) => (value === '' ? undefined : value), integer.optional())

/** Handles a form: runs it in a transaction and returns to its page. */
export function addAction<Schema extends z.ZodType>(
  app: FastifyInstance,
  dashboard: Dashboard,
  path: string,
  schema: Schema,
  run: (tx: Tx, cause: Cause, id: string, params: z.output<Schema>) => Promise<string>,
): void {
  app.post<{ Params: { id?: string } }>(path, async ({ params: { id = '' }, body }, reply) => {
    const params = parseParams(schema, parseForm(typeof body === 'string' ? body : ''))
    const back = await dashboard.database.transact((tx) => run(tx, pageCause(dashboard), id, params))
    dashboard.onCommit()
    return dashboard.back(reply, back)
  })
}

/** A form with fields next to its button. */
export function form(
  action: string,
  fields: Html,
  label: string,
  tone: '' | 'danger' | 'primary' = '',
): Html {
  return html`<form method="post" action="${action}" class="inline">${fields}<button class="${tone}">${label}</button></form>`
}

/** A field for an amount. Its placeholder is used if it is empty. */
export function amountField(most: number): Html {
  return html`<label class="field">Amount in the smallest unit
<input type="number" name="amount" min="1" max="${most}" placeholder="${most}"></label>`
}

export function selectField(
  label: string,
  name: string,
  options: readonly (readonly [value: string, text: string])[],
  selected = '',
): Html {
  const choices = options.map(
    ([value, text]) =>
      html`<option value="${value}"${value === selected && html` selected`}>${text}</option>`,
  )
  return html`<label class="field">${label}
<select name="${name}">${choices}</select></label>`
}
