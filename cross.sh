cd /tmp/x/clone
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
git log -1 --format='%h %s'
echo "cross $(date)"; make J=1 check-cross SLOW=20; echo "rc $?"
echo "end $(date)"
