import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { type DefaultValues, type FieldValues, type UseFormReturn, useForm } from 'react-hook-form'
import type * as z from 'zod/mini'

/**
 * A form that is checked by the very schema that the server will check it with: when it is sent, and
 * from then on with every key. Not when a field is left: a message that appears between the press and
 * the release of a button moves the button away from under it.
 */
export function useContractForm<Input extends FieldValues, Output extends FieldValues>(
  schema: z.ZodMiniType<Output, Input>,
  defaultValues: DefaultValues<Input>,
): UseFormReturn<Input, unknown, Output> {
  return useForm<Input, unknown, Output>({
    resolver: standardSchemaResolver<Input, unknown, Output>(schema),
    defaultValues,
  })
}
