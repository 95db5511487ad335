cd /tmp/x/clone
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
while [ ! -e build/stage/lib/libgomp.so.1 ]; do sleep 2; done
git log -1 --format='%h %s'
echo "versions $(date)"
make J=1 libgomp GCC_VERSION=14.2.0 BUILD=build/14.2.0 GCC_SRC=/tmp/src14/x-gcc-14/usr/src/gcc-14/gcc-14.2.0-dfsg.tar.xz &&
make J=1 libgomp GCC_VERSION=13.3.0 BUILD=build/13.3.0 GCC_SRC=/tmp/src14/x-gcc-13/usr/src/gcc-13/gcc-13.3.0-dfsg.tar.xz &&
make J=1 libgomp GCC_VERSION=8.3.0 BUILD=build/8.3.0 GCC_SRC=/tmp/comp/gcc-8.3.0 &&
make J=1 check TESTS=versions SLOW=20; echo "rc $?"
echo "end $(date)"
