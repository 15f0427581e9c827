import S3rver from '@20minutes/s3rver'

/* Runs s3rver for s3-server.ts. Arguments: the folder of its files, the port, the name of the bucket. */

const [directory = '', port, bucket = ''] = process.argv.slice(2)

const server = new S3rver({
  address: '127.0.0.1',
  port: Number(port),
  directory,
  silent: true,
  // s3rver computes a wrong signature for the address of a bucket, which the client ends with a slash.
  allowMismatchedSignatures: true,
  configureBuckets: [{ name: bucket }],
})
const address = await server.run()
process.send?.(address.port)
process.on('disconnect', () => process.exit())
