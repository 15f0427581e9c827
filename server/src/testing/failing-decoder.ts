import type { ImageJob } from '../files/image-decoder.ts'

/** A decoder that crashes, hangs or waits if the content of the picture says so. */
process.on('message', ({ bytes }: Extract<ImageJob, { bytes: Uint8Array }>) => {
  const picture = Buffer.from(bytes)
  const text = picture.toString()
  if (text === 'crash') process.kill(process.pid, 'SIGKILL')
  if (text === 'hang') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  if (text !== 'wait') process.send?.([{ bytes: picture, widthPixels: process.pid, heightPixels: 1 }])
  else setTimeout(() => process.send?.([{ bytes: picture, widthPixels: process.pid, heightPixels: 1 }]), 300)
})
process.on('disconnect', () => process.exit())
