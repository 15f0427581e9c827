import type { Call, InputOf, ReplyOf } from '@sought/contract/call'
import { upload } from './upload.ts'
import { type ActionOptions, useSubmission } from './use-action.ts'

type UploadInput<C extends Call & { upload: object }> = InputOf<C> & {
  file: Parameters<typeof upload<C>>[2]
  fields?: Record<string, string>
}

/** Like `useAction`, for a call with a file. */
export function useUploadAction<C extends Call & { upload: object }>(
  call: C,
  options: ActionOptions<UploadInput<C>, ReplyOf<C>>,
) {
  return useSubmission(
    call,
    (input: UploadInput<C>) => upload(call, input, input.file, { fields: input.fields ?? {} }),
    options,
  )
}
