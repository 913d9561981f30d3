# shellcheck shell=bash
# etcd, the API server and what works through it. They listen on this machine's loopback, the API server of a cluster with nodes on the
# bridge instead.
kubectl() { KUBECACHEDIR=$RUN/kubectl "$BIN/kubectl" --kubeconfig "$RUN/kubeconfig" "$@"; }

start_etcd() {
	local client=http://127.0.0.1:$((PORT + 1)) peer=http://127.0.0.1:$((PORT + 2))
	start etcd "$BIN/etcd" --name test --data-dir "$RUN/etcd" --unsafe-no-fsync --log-level warn \
		--listen-client-urls "$client" --advertise-client-urls "$client" \
		--listen-peer-urls "$peer" --initial-advertise-peer-urls "$peer" --initial-cluster "test=$peer"
}

start_apiserver() {
	local endpoints=none
	[ "$NET" = 0 ] || endpoints=lease
	start apiserver "$BIN/kube-apiserver" --etcd-servers="http://127.0.0.1:$((PORT + 1))" --bind-address="$API" --secure-port="$PORT" \
		--advertise-address="$API" --endpoint-reconciler-type="$endpoints" --service-cluster-ip-range="$SERVICES" \
		--client-ca-file="$PKI/ca.crt" --tls-cert-file="$PKI/apiserver.crt" --tls-private-key-file="$PKI/apiserver.key" \
		--service-account-issuer=https://kubernetes.default.svc.cluster.local \
		--service-account-key-file="$PKI/accounts.pub" --service-account-signing-key-file="$PKI/accounts.key" \
		--kubelet-client-certificate="$PKI/to-kubelet.crt" --kubelet-client-key="$PKI/to-kubelet.key" \
		--kubelet-certificate-authority="$PKI/ca.crt" --kubelet-preferred-address-types=InternalIP \
		--authorization-mode=Node,RBAC --enable-admission-plugins=NodeRestriction
	wait_for 90 "the API server is ready" kubectl get --raw=/readyz
}

start_controllers() {
	start controllers "$BIN/kube-controller-manager" --kubeconfig="$PKI/controllers.conf" --leader-elect=false \
		--bind-address=127.0.0.1 --secure-port=$((PORT + 3)) --root-ca-file="$PKI/ca.crt" \
		--service-account-private-key-file="$PKI/accounts.key" --use-service-account-credentials=true --node-monitor-grace-period=10s
	wait_for 60 "the controllers work" kubectl get serviceaccount default
}

start_scheduler() {
	start scheduler "$BIN/kube-scheduler" --kubeconfig="$PKI/scheduler.conf" --leader-elect=false \
		--bind-address=127.0.0.1 --secure-port=$((PORT + 4))
}

start_control_plane() {
	start_etcd
	start_apiserver
	start_scheduler
	start_controllers
}

control() { # etcd|apiserver|controllers|scheduler start|stop|kill
	case $1 in etcd | apiserver | controllers | scheduler) ;; *) die "there is no server named $1" ;; esac
	case $2 in
	start) "start_$1" ;;
	stop) stop "$1" ;;
	kill) stop "$1" KILL ;;
	*) die "control NAME start|stop|kill, not $2" ;;
	esac
}
