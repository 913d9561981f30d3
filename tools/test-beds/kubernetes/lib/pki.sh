# shellcheck shell=bash
# Certificates of a cluster that lives for a day.
certificate() { # name common-name organisation names
	local at=$PKI/$1 subject="/CN=$2"
	[ -z "$3" ] || subject="/O=$3/CN=$2"
	[ ! -e "$at.crt" ] || return 0
	openssl ecparam -name prime256v1 -genkey -noout -out "$at.key"
	{
		echo "extendedKeyUsage=clientAuth,serverAuth"
		[ -z "${4:-}" ] || echo "subjectAltName=$4"
	} >"$at.ext"
	openssl req -new -key "$at.key" -subj "$subject" |
		openssl x509 -req -CA "$PKI/ca.crt" -CAkey "$PKI/ca.key" -CAcreateserial -days 7 -extfile "$at.ext" -out "$at.part" 2>/dev/null
	mv "$at.part" "$at.crt"
}

kubeconfig() { # file, name of the certificate or bearer token
	local credentials="client-certificate: $PKI/$2.crt, client-key: $PKI/$2.key"
	[ -e "$PKI/$2.crt" ] || credentials="token: $2"
	cat >"$1.part" <<-END
		apiVersion: v1
		kind: Config
		current-context: test
		clusters: [{name: test, cluster: {server: "https://$API:$PORT", certificate-authority: $PKI/ca.crt}}]
		users: [{name: test, user: {$credentials}}]
		contexts: [{name: test, context: {cluster: test, user: test}}]
	END
	mv "$1.part" "$1"
}

make_authority() {
	local name
	mkdir -p "$PKI"
	chmod 700 "$RUN" "$PKI"
	if [ ! -e "$PKI/ca.crt" ]; then
		openssl genrsa -out "$PKI/accounts.key" 2048 2>/dev/null
		openssl rsa -in "$PKI/accounts.key" -pubout -out "$PKI/accounts.pub" 2>/dev/null
		openssl ecparam -name prime256v1 -genkey -noout -out "$PKI/ca.key"
		openssl req -x509 -new -key "$PKI/ca.key" -subj /CN=test-cluster -days 7 -out "$PKI/ca.part"
		mv "$PKI/ca.part" "$PKI/ca.crt"
	fi
	certificate apiserver kube-apiserver "" "DNS:localhost,DNS:kubernetes.default.svc,IP:127.0.0.1,IP:$API_SERVICE,IP:$API"
	certificate to-kubelet kube-apiserver-to-kubelet system:masters
	certificate admin administrator system:masters
	certificate controllers system:kube-controller-manager ""
	certificate scheduler system:kube-scheduler ""
	certificate proxy system:kube-proxy ""
	certificate policies test:policies ""
	kubeconfig "$RUN/kubeconfig" admin
	for name in controllers scheduler proxy policies; do kubeconfig "$PKI/$name.conf" "$name"; done
}

# A kubeconfig of a service account, with a token for hours.
account_kubeconfig() { # namespace account
	local file=$RUN/accounts/$1-$2 token
	mkdir -p "$RUN/accounts"
	token=$(kubectl -n "$1" create token "$2" --duration=12h)
	kubeconfig "$file" "$token"
	echo "$file"
}
